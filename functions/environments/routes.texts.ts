import { describeFields } from '../../shared/schemas/field-texts.ts';
import { createEnvironmentRoute, listEnvironmentsRoute, updateEnvironmentRoute } from './routes.ts';

describeFields(listEnvironmentsRoute.answer.body, {
  environments: 'The environments of the account.',
});

describeFields(createEnvironmentRoute.body, {
  title: 'The name of the environment.',
});

describeFields(updateEnvironmentRoute.pathParameters, {
  clientId: 'The ID of the environment.',
});

describeFields(updateEnvironmentRoute.body, {
  title: 'The name of the environment.',
  disableSending: 'Channels on which the environment does not send.',
  secureMode: "True if public keys also need the user's hash.",
  resetSecret:
    'true: the client secret is replaced; hashes made with the former one are accepted for 24 hours.',
});
