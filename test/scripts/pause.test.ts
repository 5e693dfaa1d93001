import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpFake, startHttpFake } from '../support/fakes/http-fake.ts';
import { useStarted } from '../support/use-started.ts';
import { startFakeAws } from './fake-aws.ts';

type Source = { UUID: string; FunctionArn: string; Enabled: boolean };

const aws = useStarted(startFakeAws, 'test');
let lambda: HttpFake;
let sources: Source[];
/** Reserved concurrency by function. */
let reserved: Map<string, number>;
/** Event sources that are still being changed when they are changed next. */
let changing: Set<string>;

beforeEach(async () => {
  reserved = new Map();
  changing = new Set();
  sources = [
    source('notifications-prod-dispatch'),
    source('notifications-prod-deliver-email'),
    source('notifications-prod-deliver-sms', false),
    source('notifications-prod2-dispatch'),
    source('notifications-prod-eu-dispatch'),
    source('shop-orders'),
  ];
  lambda = await startHttpFake(({ method, path, body }) => {
    const [, name] = /functions\/([^/]+)\/concurrency/.exec(path) ?? [];
    if (name !== undefined && method === 'DELETE') {
      reserved.delete(name);
      return { status: 204, body: {} };
    }
    if (name !== undefined) {
      reserved.set(name, JSON.parse(body.toString('utf8')).ReservedConcurrentExecutions);
      return { status: 200, body: {} };
    }
    const [, , , uuid = ''] = path.split('?')[0]?.split('/') ?? [];
    // Two to a page, as when a deployment has more event sources than fit a page of AWS.
    if (method === 'GET') return { status: 200, body: pageOf(path) };
    const found = sources.find(({ UUID }) => UUID === uuid);
    if (!found) return { status: 404, body: {} };
    if (changing.delete(uuid))
      return { status: 400, headers: { 'x-amzn-errortype': 'ResourceInUseException' }, body: {} };
    Object.assign(found, JSON.parse(body.toString('utf8')));
    return { status: 202, body: found };
  });
});
afterEach(async () => {
  await lambda.close();
});

function source(name: string, Enabled = true): Source {
  return {
    UUID: `uuid-${name}`,
    FunctionArn: `arn:aws:lambda:eu-central-1:111122223333:function:${name}`,
    Enabled,
  };
}

function pageOf(path: string) {
  const from = Number(new URL(path, 'http://lambda').searchParams.get('Marker') ?? 0);
  const next = from + 2 < sources.length ? { NextMarker: String(from + 2) } : {};
  return { EventSourceMappings: sources.slice(from, from + 2), ...next };
}

const pause = (...args: string[]) =>
  aws.run('pause.ts', ['--stage', 'prod', ...args], { AWS_ENDPOINT_URL_LAMBDA: lambda.url });
const enabled = () => sources.filter(({ Enabled }) => Enabled).map(({ UUID }) => UUID.slice('uuid-'.length));

describe('npm run pause', () => {
  it('disables every event source of the stage, and no other', async () => {
    const { code, output, errors } = await pause();
    expect([code, output], errors).toEqual([0, 'Paused 3 event sources of stage prod.\n']);
    expect(enabled()).toEqual([
      'notifications-prod2-dispatch',
      'notifications-prod-eu-dispatch',
      'shop-orders',
    ]);
    expect([...reserved]).toEqual([
      ['notifications-prod-ingest-ses', 0],
      ['notifications-prod-ingest-phone', 0],
    ]);
  });

  it('resumes the event sources that the deployment uses, even when run twice', async () => {
    await pause();
    for (let run = 0; run < 2; run += 1) {
      const { code, output } = await pause('--resume', '--json');
      expect([code, JSON.parse(output)]).toEqual([
        0,
        { resumed: ['dispatch', 'deliver-email', 'deliver-sms'] },
      ]);
    }
    expect(enabled()).toHaveLength(6);
    expect(reserved.size).toBe(0);
  });

  it('waits until an event source that is still being changed can be changed again', async () => {
    changing.add('uuid-notifications-prod-dispatch');
    const { code, errors } = await pause();
    expect(code, errors).toBe(0);
    expect(enabled()).not.toContain('notifications-prod-dispatch');
  });

  it('reports that a stage without event sources has none', async () => {
    const { code, errors } = await aws.run('pause.ts', ['--stage', 'other'], {
      AWS_ENDPOINT_URL_LAMBDA: lambda.url,
    });
    expect([code, errors]).toEqual([
      1,
      'Stage other has no event sources in account 111122223333, eu-central-1.\n',
    ]);
  });
});
