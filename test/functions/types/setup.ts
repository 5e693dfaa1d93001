import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as getType } from '../../../functions/types/get-type.ts';
import { handler as listTypes } from '../../../functions/types/list-types.ts';
import { handler as updateType } from '../../../functions/types/update-type.ts';
import { call, type TestAccount } from '../../support/app.ts';

/** The smallest body of POST /types. */
export const MINIMAL = { notificationId: 'welcome', title: 'Welcome', channels: ['EMAIL'] };

/** Settings of every kind, as the API returns them. */
export const SETTINGS = {
  deduplication: { duration: 3600 },
  throttling: { max: 5, period: 1, unit: 'days', forever: false, scope: ['userId', 'notificationId'] },
  retention: 90,
  options: {
    EMAIL: {
      defaultDeliveryOption: 'weekly',
      off: { enabled: false },
      instant: { enabled: true },
      hourly: { enabled: false },
      daily: { enabled: true, hour: '8:00 am' },
      weekly: { enabled: true, hour: '20:30', day: 'Sunday' },
      monthly: { enabled: true, hour: '9', date: 'last' },
    },
    INAPP_WEB: {
      defaultDeliveryOption: 'instant',
      off: { enabled: true },
      instant: { enabled: true },
      batching: true,
      batchingKey: 'parameters.comment_id',
      batchingWindow: 60,
    },
    SMS: { defaultDeliveryOption: 'off' },
  },
};

export const create = (account: TestAccount, body: object = MINIMAL) =>
  call(createType, { key: account.secret.key, body });
export const patch = (account: TestAccount, notificationId: string, body: object) =>
  call(updateType, { key: account.secret.key, path: { notificationId }, body });
export const get = (account: TestAccount, notificationId: string) =>
  call(getType, { key: account.secret.key, path: { notificationId } });
export const list = async (account: TestAccount) => (await call(listTypes, { key: account.secret.key })).json;
