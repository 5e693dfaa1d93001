import { describe, expect, it } from 'vitest';
import { ROUTES } from '../functions/routes.ts';
import { WORKERS } from '../functions/workers.ts';
import { renderPage } from '../infra/local/reference/guide-pages.ts';
import { buildErrorsPage } from '../scripts/openapi/errors-page.ts';
import { buildReference } from '../scripts/openapi/reference.ts';
import { buildServiceParameters, withParameters } from '../scripts/openapi/service-parameters.ts';
import { docsOfCode } from '../shared/domain/logs/explanations.ts';
import { fileNameOf } from '../shared/http/rows/route.ts';
import { docsOf, ERRORS } from '../shared/runtime/errors.ts';
import { CHANNELS } from '../shared/schemas/channel.ts';
import { FAILURE_CODES } from '../shared/schemas/logs/failure-codes.ts';
import { Routing, RoutingReason } from '../shared/schemas/logs/log-record.ts';
import { filesBelow, read } from './support/project-files.ts';

const HANDLER = /^export (const|(async )?function) handler\b/m;
const HANDLERS = filesBelow('functions', '.ts').filter((file) => HANDLER.test(read(file)));
const isWorker = (file: string) => file.startsWith('functions/workers/');

describe('the tables of routes and workers', () => {
  it('have a handler for every route, and a route for every handler', () => {
    const wanted = ROUTES.map((row) => `functions/${row.resource}/${fileNameOf(row.id)}.ts`).sort();
    expect(HANDLERS.filter((file) => !isWorker(file))).toEqual(wanted);
  });

  it('have a handler for every worker, and a worker for every handler', () => {
    const wanted = WORKERS.map(({ concern, name }) => `functions/workers/${concern}/${name}.ts`).sort();
    expect(HANDLERS.filter(isWorker)).toEqual(wanted);
  });

  it('have every route and worker once', () => {
    for (const names of [
      ROUTES.map(({ id }) => id),
      ROUTES.map(({ method, path }) => `${method} ${path.replace(/\{[^}]+\}/g, '{}')}`),
      WORKERS.map(({ name }) => name),
    ]) {
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    }
  });

  it('use the route of a handler in its own file', () => {
    const strays = ROUTES.filter(
      ({ resource, id }) => !read(`functions/${resource}/${fileNameOf(id)}.ts`).includes(`${id}Route`),
    );
    expect(strays.map(({ id }) => id)).toEqual([]);
  });
});

describe('the reference', () => {
  it('matches the code: npm run openapi writes it', () => {
    expect(read('docs/reference.md')).toBe(buildReference());
  });
});

describe('the properties of the construct', () => {
  it('match the parameters: npm run openapi writes them', () => {
    expect(read('infra/aws/parameters/service-parameters.ts')).toBe(buildServiceParameters());
    expect(read('cdk/API.md')).toBe(withParameters(read('cdk/API.md')));
  });
});

describe('the page of errors', () => {
  const page = read('docs/errors.md');
  const anchors = new Set(
    [...renderPage('docs/errors.md', page).html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id),
  );
  const anchorOf = (docs: string | undefined) => docs?.split('#')[1] ?? '';

  it('matches the code: npm run openapi writes it', () => {
    expect(page).toBe(buildErrorsPage());
  });

  it('has an anchor for every error code, with its status', () => {
    expect(Object.keys(ERRORS).filter((code) => !anchors.has(anchorOf(docsOf(code))))).toEqual([]);
    for (const [code, { status }] of Object.entries(ERRORS))
      expect(page).toContain(`### ${code}\n\n${status}. `);
  });

  it.each(CHANNELS)('has an anchor for every failure code and routing value of %s', (channel) => {
    const codes = [...FAILURE_CODES[channel], ...Routing.options, ...RoutingReason.options];
    expect(codes.filter((code) => !anchors.has(anchorOf(docsOfCode(channel, code))))).toEqual([]);
    expect(docsOfCode(channel, 'toString')).toBeUndefined();
  });
});
