/** Whether the query asks for a dry run: `?dryRun`, `?dryRun=true` and `?dryRun=1` do. */
export function isDryRun(value: string | undefined): boolean {
  return value === '' || value === 'true' || value === '1';
}
