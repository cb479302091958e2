import { runSuites } from './suites';

runSuites(['creation', 'node', 'observed'], true);
