import { runSuites } from './suites';

runSuites(['live', 'observed', 'workflow']);
