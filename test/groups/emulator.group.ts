import { runSuites } from './suites';

runSuites(['emulator']);
