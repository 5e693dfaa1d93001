import * as v from 'valibot';
import { parseApnConfig } from '../../shared/channels/push/apns/apns-config.ts';
import { pushSettings } from '../../shared/database/entities/settings/push-settings.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { ApnConfig } from '../../shared/schemas/domains/apn-config.ts';
import { saveApnConfigRoute } from './routes.ts';

export const handler = endpoint(
  saveApnConfigRoute,
  { pushSettings },
  async ({ pushSettings, caller, body }) => {
    await pushSettings.saveApn(caller.accountId, body);
    return body;
  },
  ({ body }) => {
    const config = v.safeParse(ApnConfig, body);
    const parsed = config.success ? parseApnConfig(config.output) : undefined;
    if (!parsed || parsed.ok) return [];
    const must = `cannot be used: ${parsed.problem}`;
    const error = new AppError('INVALID_REQUEST', {
      message: `The body ${must}.`,
      fix: 'Send the text of the .p8 file as Key, its key ID, the team ID and the bundle ID of the app as Topic.',
    });
    return [{ where: 'body', must, error }];
  },
);
