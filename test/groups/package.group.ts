import { runSuites } from './suites';

runSuites(['unit', 'types', 'package', 'demo', 'n8n-host', 'bench']);
