import { z } from 'zod';

import { wholeNumber } from '../engine/values';

/** What every operation has under Options. */
export const optionsSchema = z.object({ maxInFlight: wholeNumber(1).optional() });
