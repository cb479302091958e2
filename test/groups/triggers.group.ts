import { runSuites } from './suites';

runSuites(['trigger', 'polling']);
