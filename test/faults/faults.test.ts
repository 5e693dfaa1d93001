import { beforeAll, describe, expect, it } from 'vitest';
import { runScenario, SCENARIOS } from './scenarios.ts';
import { FAULTS, installAdapters, loadHandlers } from './world.ts';

/** Runs of each scenario, spread over its calls and faults; `FAULTS_RUNS=all` runs every fault at every call. */
const RUNS = process.env.FAULTS_RUNS ?? '40';
const TIMEOUT_MS = RUNS === 'all' ? 3_600_000 : 120_000;

beforeAll(async () => {
  Object.assign(process.env, {
    LOG_LEVEL: 'SILENT',
    EMAIL_PROVIDER: 'sandbox',
    SMS_PROVIDER: 'sandbox',
    CALL_PROVIDER: 'sandbox',
    INAPP_PROVIDER: 'live',
    PUBLIC_BASE_URL: 'https://api.example.com',
    MAIL_DOMAIN: 'mail.example.com',
  });
  installAdapters();
  await loadHandlers();
});

describe.each(SCENARIOS)('$name', (scenario) => {
  it('ends well without a fault', async () => {
    expect((await runScenario(scenario)).problems).toEqual([]);
  });

  it(
    'ends well whatever external call fails, once',
    async () => {
      const { calls } = await runScenario(scenario);
      const all = calls.flatMap((name, at) => FAULTS.map((fault) => ({ name, at, fault })));
      const every = RUNS === 'all' ? 1 : Math.max(1, Math.floor(all.length / Number(RUNS)));
      const broken: string[] = [];
      for (const { name, at, fault } of all.filter((_, index) => index % every === 0)) {
        const { problems } = await runScenario(scenario, { at, fault });
        if (problems.length > 0) broken.push(`${fault} at ${at} ${name}: ${problems.join(', ')}`);
      }
      expect(broken).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

describe('while the log takes no writes for 40 minutes', () => {
  it.each(SCENARIOS.filter(({ isCancelled }) => !isCancelled))('$name ends well', async (scenario) => {
    expect((await runScenario(scenario, undefined, undefined, 'writes')).problems).toEqual([]);
  });

  it('a deliverer that does not store its attempts sends again and again, and the run notices', async () => {
    const scenario = SCENARIOS.find(({ name }) => name === 'SMS');
    if (!scenario) throw new Error('there is no such scenario');
    const { problems } = await runScenario(scenario, undefined, 'no attempts', 'writes');
    expect(problems.join()).toMatch(/the provider got it \d+ times/);
  });
});
