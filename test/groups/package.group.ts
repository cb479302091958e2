import { runSuites } from './suites';

runSuites(['unit', 'package', 'demo', 'bench']);
