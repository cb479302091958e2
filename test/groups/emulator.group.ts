import { runSuites } from './suites';

runSuites(['emulator', 'conformance', 'drift']);
