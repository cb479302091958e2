import { runSuites } from './suites';

runSuites(['emulator', 'conformance/recordings', 'conformance/drift']);
