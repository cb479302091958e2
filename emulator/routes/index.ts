import type { Route } from '../http/route';
import { attachmentRoutes } from './attachment';
import { auditLogRoutes } from './auditLog';
import { certificateRoutes } from './certificate';
import { directLinkRoutes } from './directLink';
import { documentRoutes } from './document';
import { embeddingRoutes } from './embedding';
import { envelopeRoutes } from './envelope';
import { envelopeItemRoutes } from './envelopeItem';
import { fieldRoutes } from './field';
import { folderRoutes } from './folder';
import { recipientRoutes } from './recipient';
import { templateRoutes } from './template';

/** All endpoints of the local Documenso. */
export const routes: readonly Route[] = [
	...envelopeRoutes,
	...envelopeItemRoutes,
	...recipientRoutes,
	...fieldRoutes,
	...attachmentRoutes,
	...folderRoutes,
	...directLinkRoutes,
	...embeddingRoutes,
	...auditLogRoutes,
	...certificateRoutes,
	...templateRoutes,
	...documentRoutes,
];
