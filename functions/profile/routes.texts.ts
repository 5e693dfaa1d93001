import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { acceptInviteRoute, changeEmailRoute, confirmEmailRoute, showConfirmEmailRoute } from './routes.ts';

describeFields(acceptInviteRoute.body, {
  token: 'The token of the invitation.',
});

describeFields(changeEmailRoute.body, {
  newEmail: 'The new address, used once it is confirmed.',
});

describeFields(changeEmailRoute.response.body, {
  confirmationUrl: 'The link that confirms the change; in the local run only.',
});

describeFields(showConfirmEmailRoute.pathParameters, {
  token: 'The signed token of the link.',
});

describeFields(confirmEmailRoute.pathParameters, {
  token: 'The signed token of the link.',
});
