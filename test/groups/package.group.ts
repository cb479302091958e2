import { runSuites } from './suites';

runSuites(['unit', 'types', 'package', 'demo', 'bench']);
