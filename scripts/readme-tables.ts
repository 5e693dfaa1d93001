import { ROUTES } from '../functions/routes.ts';
import { PARAMETERS } from '../infra/aws/parameters/parameters.ts';
import type { Route } from '../shared/http/route.ts';
import { ERRORS } from '../shared/runtime/errors.ts';

/** The README with its tables of endpoints and errors made anew from the route table and the error list. */
export function writeReadmeTables(readme: string): string {
  return between(between(readme, 'endpoints', endpointsTable()), 'errors', errorsTable());
}

/** docs/configuration.md with its table of deployment parameters made anew from their list. */
export function writeParametersTable(configuration: string): string {
  const rows = PARAMETERS.map(({ name, about, fallback }) => {
    const value = fallback === '' ? 'empty' : `\`${JSON.stringify(fallback).replaceAll('"', '')}\``;
    return `| \`${name}\` | ${value} | ${about} |`;
  });
  const table = ['| parameter | default | meaning |', '|---|---|---|', ...rows].join('\n');
  return between(configuration, 'parameters', table);
}

function between(text: string, name: string, table: string): string {
  const open = `<!-- ${name} -->`;
  const close = `<!-- /${name} -->`;
  const start = text.indexOf(open);
  const end = text.indexOf(close);
  if (start < 0 || end < start) throw new Error(`there is no place for the table of ${name}`);
  return `${text.slice(0, start + open.length)}\n${table}\n${text.slice(end)}`;
}

function endpointsTable(): string {
  const rows = ROUTES.map((row) => `| \`${row.method} ${row.path}\` | ${callersOf(row)} | ${row.summary} |`);
  return ['| endpoint | callable with | what it does |', '|---|---|---|', ...rows].join('\n');
}

function callersOf(row: Route): string {
  if (row.access === 'none') return 'no credential';
  if (row.access.admin) return 'admin';
  return row.access.callers.join(', ');
}

function errorsTable(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, message }]) => `| ${code} | ${status} | ${message} |`,
  );
  return ['| code | status | meaning |', '|---|---|---|', ...rows].join('\n');
}
