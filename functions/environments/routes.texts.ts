import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import {
  createEnvironmentRoute,
  deleteEnvironmentRoute,
  listEnvironmentsRoute,
  updateEnvironmentRoute,
} from './routes.ts';

describeFields(listEnvironmentsRoute.response.body, {
  environments: 'The environments of the account.',
});

describeFields(createEnvironmentRoute.body, {
  title: 'The name of the environment.',
  expiresAt: 'Time at which it is removed with everything in it; without it, it stays.',
});

describeFields(deleteEnvironmentRoute.response.body, {
  message: 'What happens.',
});

describeFields(updateEnvironmentRoute.body, {
  title: 'The name of the environment.',
  disableSending: 'All channels that the environment does not send on.',
  secureMode: "True if public keys also need the user's hash.",
  onlyTo:
    'At most 100 email addresses, domains and numbers that the environment sends to. Channels to others are IGNORE with IGNORE_BY_ENVIRONMENT. Empty: to everybody.',
  createTypes:
    'false: a send with an unknown notification type is 400 MISSING_NOTIFICATION_TYPE with the nearest name, instead of creating it.',
  resetSecret:
    'true: the client secret is replaced; hashes made with the former one are accepted for 24 hours.',
  resetVapidKey:
    'true: the key pair of web push is replaced; subscriptions made with the former one receive for another 90 days, and the client library renews them on the next visit.',
});
