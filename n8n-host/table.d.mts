export function table<Row>(columns: Record<string, (row: Row) => unknown>, rows: Row[]): string;
