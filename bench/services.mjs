/** Settings of the local Documenso: flags of `emulator/cli.ts`. */
const network = { 'latency-ms': 50 };

/** The service's default rate limit. */
export const rateLimited = { ...network, 'rate-limit': 1000 };

/** No subject can make that many calls. */
export const unlimited = { ...network, 'rate-limit': 1_000_000_000 };

/** Two services with a capacity of 20 calls a second. */
export const fourWorkers = { ...unlimited, workers: 4, 'work-ms': 200 };
export const oneWorker = { ...unlimited, workers: 1, 'work-ms': 50 };

/** The service's default is 50 MB a file. */
export const withLargeFiles = { ...unlimited, 'max-file-bytes': 500_000_000 };
