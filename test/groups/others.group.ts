import { runSuites } from './suites';

runSuites(['live', 'observed', 'simulation', 'workflow']);
