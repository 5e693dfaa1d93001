import { parseFcmConfig } from '../../shared/channels/push/fcm/fcm-config.ts';
import { pushSettings } from '../../shared/database/entities/settings/push-settings.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { fieldsOf, textOf } from '../../shared/http/problems/check.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { saveFcmConfigRoute } from './routes.ts';

export const handler = endpoint(
  saveFcmConfigRoute,
  { pushSettings },
  async ({ pushSettings, caller, body }) => {
    await pushSettings.saveFcm(caller.accountId, body.fcmConfig);
    return { fcmConfig: body.fcmConfig };
  },
  ({ body }) => {
    const config = textOf(fieldsOf(body).fcmConfig);
    const parsed = config === undefined ? undefined : parseFcmConfig(config);
    if (!parsed || parsed.ok) return [];
    const must = `cannot be used: ${parsed.problem}`;
    const error = new AppError('INVALID_REQUEST', {
      message: `body.fcmConfig ${must}.`,
      fix: 'Send the whole text of the service-account JSON file of the Firebase project.',
    });
    return [{ where: 'body.fcmConfig', must, error }];
  },
);
