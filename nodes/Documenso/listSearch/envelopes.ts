import { searchOf } from './search';

export const searchDocuments = searchOf(['DOCUMENT']);
export const searchTemplates = searchOf(['TEMPLATE']);
export const searchEnvelopes = searchOf(['DOCUMENT', 'TEMPLATE']);
