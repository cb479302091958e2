import type { Route } from '../http/route';
import { envelopeRoutes } from './envelope';
import { envelopeItemRoutes } from './envelopeItem';
import { folderRoutes } from './folder';

/** Every endpoint the emulator answers. */
export const routes: readonly Route[] = [...envelopeRoutes, ...envelopeItemRoutes, ...folderRoutes];
