import { runSuites } from './suites';

runSuites(['node']);
