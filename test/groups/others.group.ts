import { runSuites } from './suites';

runSuites(['conformance', 'simulation', 'workflow']);
