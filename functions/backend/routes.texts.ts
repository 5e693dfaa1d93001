import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import {
  configureBackendRoute,
  connectBackendRoute,
  getBackendStatusRoute,
  listBackendProjectsRoute,
} from './routes.ts';

describeFields(connectBackendRoute.body, {
  code: 'The authorization code.',
  redirect_uri: 'The redirect URI of the authorization.',
  code_verifier: 'The PKCE verifier of the authorization.',
});

describeFields(configureBackendRoute.body, {
  senderEmail: "The sender's address.",
});

describeFields(getBackendStatusRoute.response.body, {
  connected: 'True if the account is connected.',
  connectedAt: 'Time the account was connected.',
  project: [
    'The project that is configured.',
    {
      senderEmail: "The sender's address.",
      configuredAt: 'Time the project was configured.',
    },
  ],
});

describeFields(listBackendProjectsRoute.response.body, {
  projects: [
    'The projects of the connected account.',
    {
      region: 'The region of the project.',
      status: 'The state of the project, as the platform reports it.',
    },
  ],
});
