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

describeFields(connectBackendRoute.answer.body, {
  success: 'Always true.',
  message: 'A message that states the result.',
});

describeFields(configureBackendRoute.body, {
  projectRef: 'The reference of the project.',
  projectName: 'The name of the project.',
  senderName: "The sender's display name.",
  senderEmail: "The sender's address.",
});

describeFields(getBackendStatusRoute.answer.body, {
  connected: 'True if the account is connected.',
  connectedAt: 'Time the account was connected.',
  project: [
    'The project that is configured.',
    {
      projectRef: 'The reference of the project.',
      projectName: 'The name of the project.',
      senderName: "The sender's display name.",
      senderEmail: "The sender's address.",
      configuredAt: 'Time the project was configured.',
    },
  ],
});

describeFields(listBackendProjectsRoute.answer.body, {
  projects: [
    'The projects of the connected account.',
    {
      projectRef: 'The reference of the project.',
      projectName: 'The name of the project.',
      region: 'The region of the project.',
      status: 'The state of the project, as the platform reports it.',
    },
  ],
});
