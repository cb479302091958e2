import { runSuites } from './suites';

runSuites(['node'], true);
