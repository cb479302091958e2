import { runSuites } from './suites';

runSuites(['conformance/live', 'observed', 'simulation', 'workflow']);
