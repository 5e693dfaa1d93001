import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { listEnvironmentsRoute } from '../../functions/environments/routes.ts';
import { verifyPaths, verifySchedule, verifyWebhook } from './api.ts';
import { type OpenSocket, untested, verifyInapp, verifyTexts } from './channels.ts';
import type { Deployed } from './deployed.ts';
import { verifyEmail } from './email.ts';
import { failed, type Row } from './rows.ts';
import type { Service } from './service.ts';

const CALL_AGAIN_MS = 1000;

type Means = { openSocket: OpenSocket; pause: () => Promise<unknown>; nowMs: () => number };
const MEANS: Means = {
  openSocket: (url) => new WebSocket(url) as ReturnType<OpenSocket>,
  pause: () => sleep(CALL_AGAIN_MS),
  nowMs: Date.now,
};

/**
 * Everything that an account of the service can try, at the same time: most of it is waiting. A type takes its channels
 * from its first use, so that each part has a type of its own.
 */
export async function verifyService(service: Service, deployed: Deployed, means = MEANS): Promise<Row[]> {
  const parts: Record<string, () => Promise<Row | Row[]>> = {
    email: () => verifyEmail(service, deployed),
    'text messages': () => verifyTexts(service, deployed),
    'in-app messages': async () => {
      const { body } = await service.ask('GET', '/environments');
      const [environment] = v.parse(listEnvironmentsRoute.response.body, body).environments;
      if (!environment) throw new Error('the account has no environment');
      return verifyInapp(service, deployed, { openSocket: means.openSocket, environment });
    },
    webhooks: () => verifyWebhook(service, deployed, means),
    schedules: () => verifySchedule(service, means.nowMs()),
    'IDs in paths': () => verifyPaths(service),
  };
  const rows = Object.entries(parts).map(([part, verify]) =>
    verify().catch((error: Error) => failed(part, error.message, 'docs/runbook.md, section api-errors.')),
  );
  return [...(await Promise.all(rows)).flat(), ...untested(deployed)];
}
