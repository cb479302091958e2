import { runSuites } from './suites';

runSuites(['node', 'observed'], true);
