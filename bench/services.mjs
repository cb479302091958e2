/** How the local Documenso is set up: flags of `emulator/cli.ts`. */
const network = { 'latency-ms': 50 };

/** As the service limits calls by itself. */
export const rateLimited = { ...network, 'rate-limit': 1000 };

/** More calls than any subject can make. */
export const unlimited = { ...network, 'rate-limit': 1_000_000_000 };

/** Two services that can do 20 calls a second. */
export const fourWorkers = { ...unlimited, workers: 4, 'work-ms': 200 };
export const oneWorker = { ...unlimited, workers: 1, 'work-ms': 50 };

/** Its 50 MB a file would be too little. */
export const withLargeFiles = { ...unlimited, 'max-file-bytes': 500_000_000 };
