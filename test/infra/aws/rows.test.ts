import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../functions/routes.ts';
import { WORKERS } from '../../../functions/workers.ts';
import { buildApp } from '../../../infra/aws/build-app.ts';
import { isFew } from '../../support/cases.ts';
import { ALLOWANCES, lineOf } from './permissions/allowances.ts';

/** Rows that write more than their method implies, and why. */
const TAKES_TURNS: Record<string, string> = {
  listChatChannels: 'An expired chat token is renewed by one request at a time; the turn is given back.',
};

describe('rows of routes and workers', () => {
  it('grant exactly the documented permissions', () => {
    const asked = [...ROUTES, ...WORKERS.map((worker) => ({ ...worker, id: worker.name }))];
    expect(Object.fromEntries(asked.map(({ id, grants }) => [id, lineOf(grants)]))).toEqual(ALLOWANCES);
  });

  it('grant only reading to reading methods, and recording when a key or user was last seen', () => {
    const readers = ROUTES.filter(({ method, id }) => method === 'GET' && !TAKES_TURNS[id]);
    expect(readers.length).toBeGreaterThan(30);
    const tooMuch = readers.filter(
      ({ grants: { table = [], blobs = {}, sendsTo = [] } }) =>
        table.some((each) => ['delete', 'check', 'batchWrite'].includes(each)) ||
        blobs.write !== undefined ||
        sendsTo.length > 0,
    );
    expect(tooMuch.map(({ id }) => id)).toEqual([]);
  });

  it('use no external service except their own channels when browsers can call them', () => {
    const open = ROUTES.filter(({ cors }) => cors);
    expect(open.length).toBeGreaterThan(10);
    const allowed = ['websocket', 'secrets'];
    const tooMuch = open.filter(({ grants }) =>
      grants.services?.some((service) => !allowed.includes(service)),
    );
    expect(tooMuch.map(({ id }) => id)).toEqual([]);
  });

  it('cannot send to a queue without a consumer', () => {
    const [route] = ROUTES;
    if (!route) throw new Error('there is no route');
    const lost = { ...route, grants: { sendsTo: ['nowhere'] } };
    const build = () =>
      buildApp({ routes: [lost], workers: WORKERS, codeFolderOf: () => import.meta.dirname });
    expect(build).toThrow(`route ${route.id} sends to queue nowhere, which no worker reads`);
  });

  it('cannot read a queue whose messages another consumer may be processing', () => {
    const worker = WORKERS.find(({ trigger }) => trigger.kind === 'queue');
    if (worker?.trigger.kind !== 'queue') throw new Error('there is no worker of a queue');
    const hasty = {
      ...worker,
      trigger: { ...worker.trigger, visibilityTimeoutSeconds: worker.timeoutSeconds },
    };
    const others = WORKERS.filter((row) => row !== worker);
    const build = () =>
      buildApp({ routes: ROUTES, workers: [hasty, ...others], codeFolderOf: () => import.meta.dirname });
    expect(build).toThrow(
      `Worker ${worker.name}: the visibility timeout must be at least six times the timeout`,
    );
  });

  it.skipIf(isFew)('leave room for the longest deployment and stage names, alarms included', () => {
    const context = { name: 'abcdefghijklmnop', stage: 'production-eu-01' };
    const build = () =>
      buildApp({ routes: ROUTES, workers: WORKERS, codeFolderOf: () => import.meta.dirname, context });
    expect(build).not.toThrow();
  });
});
