import { runSuites } from './suites';

runSuites(['conformance/live', 'observed', 'creation/simulation', 'workflow']);
