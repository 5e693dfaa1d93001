import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../functions/routes.ts';
import { useStarted } from '../support/use-started.ts';
import { type Account, useAccount } from './account.ts';
import { denials, errors, report, uncovered } from './coverage.ts';
import { callPages, callRoutes, publishDomain, untilVerified } from './routes.ts';
import { cdkApp } from './stories/cdk-app.ts';
import { destroy } from './stories/destroy.ts';
import {
  callbacks,
  inboundEmail,
  inboundText,
  member,
  payment,
  recipientPages,
  webhooks,
} from './stories/events.ts';
import { dueWork } from './stories/later.ts';
import { commands, dryRun, erasure, inbox, pauseAndRedrive, restore } from './stories/operations.ts';
import { receiving } from './stories/receiving.ts';
import { isOfSecondStage, secondStage } from './stories/second-stage.ts';
import { bulk, failover, schedules, sevenChannels, topic } from './stories/sending.ts';
import { verifies } from './stories/verify.ts';
import { PREFIX, startWorld } from './world.ts';

const world = useStarted(startWorld);
let account: Account;
const known: Record<string, string> = {};

beforeAll(async () => {
  account = useAccount(world, world.place.account);
  known.clientSecret = (await account.environment()).clientSecret;
});

afterAll(() => {
  if (world.emulator) console.log(report(world.emulator.observations(), PREFIX));
});

const PREFLIGHT = {
  origin: 'https://shop.example.com',
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type',
};

const callAll = (phases: readonly number[]) => callRoutes(world, account, known, phases);

describe('the deployed service', () => {
  it.concurrent('succeeds on every route that creates', async () => {
    expect(await callAll([1, 2])).toEqual([]);
    await publishDomain(world, account);
  });

  it.concurrent('responds to the preflight requests of browsers', async () => {
    const paths = ROUTES.filter(({ cors }) => cors).map(({ path }) => path.replaceAll(/\{\w+\}/g, 'ada'));
    const responses = await Promise.all(
      paths.map((path) => world.request('OPTIONS', path, { headers: PREFLIGHT })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([204]));
  });
  it.concurrent('sends on seven channels with receipts', () => sevenChannels(world));
  it.concurrent('keeps a schedule that was changed, and not one that was cancelled', () => schedules(world));
  it.concurrent('sends a hundred notifications in bulk', () => bulk(world));
  it.concurrent('fails over to another SMTP server', () => failover(world));
  it.concurrent('calls a webhook with its signature', () => webhooks(world));
  it.concurrent('records an email that SES received', () => inboundEmail(world));
  it.concurrent('records a text message and replies to it', () => inboundText(world));
  it.concurrent('records what Twilio and Telnyx report', () => callbacks(world));
  it.concurrent('shows recipients their pages, and unsubscribes them', () => recipientPages(world));
  it.concurrent('lets an invited person act with an access token of the user pool', () => member(world));
  it.concurrent('pushes a notification to the packed client', () => inbox(world));
  it.concurrent('erases a user and deletes an account', () => erasure(world));
  it.concurrent('stops a topic of 1,000 members halfway', () => topic(world));
  it.concurrent('serves the commands of developers', () => commands(world));
  it.concurrent('rehearses itself', () => verifies(world));
  it.concurrent('has no changes right after it was deployed', () => dryRun(world));

  it('makes the plan a paid one when Stripe reports a subscription', () => payment(world, account));
  it('sends digests, steps and held messages when they are due', () => dueWork(world));
  it('sends nothing while it is paused, and everything afterwards', () => pauseAndRedrive(world));
  it('copies the log into a restored table', () => restore(world));
  it('deploys a second stage with another value of every parameter', () => secondStage(world));
  it('deploys a CDK app with the construct, which sends', () => cdkApp(world));
  it('succeeds on every route that changes or reads, and on second pages', async () => {
    await untilVerified(account);
    await receiving(world, account);
    expect(await callAll([3])).toEqual([]);
    expect(await callPages(world, account, known)).toEqual([]);
  });
  it('succeeds on every route that deletes', async () => {
    expect(await callAll([4, 5, 6, 7, 8])).toEqual([]);
    await world.settle();
  });

  it('covers every route, every second page and every event source', () => {
    expect(uncovered(world.emulator.observations(), PREFIX)).toEqual([]);
  });
  it('is denied nothing', () => {
    expect(denials(world.emulator.observations()).filter((line) => !isOfSecondStage(line))).toEqual([]);
  });
  it('logs no error that no story expects', () => {
    expect(errors(world.emulator.observations(), []).filter((line) => !isOfSecondStage(line))).toEqual([]);
  });
  it('leaves nothing when it is destroyed', () => destroy(world));
});
