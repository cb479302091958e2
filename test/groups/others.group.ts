import { runSuites } from './suites';

runSuites(['observed', 'workflow']);
