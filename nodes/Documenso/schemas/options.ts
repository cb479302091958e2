import { z } from 'zod';

import { integerFrom } from './values';

/** What every operation has under Options. */
export const optionsSchema = z.object({ maxInFlight: integerFrom(1).optional() });
