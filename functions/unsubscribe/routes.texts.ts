import { describeFields } from '../../shared/schemas/field-texts.ts';
import { showUnsubscribeRoute, unsubscribeRoute } from './routes.ts';

describeFields(showUnsubscribeRoute.pathParameters, {
  token: 'The signed token of the link.',
});

describeFields(unsubscribeRoute.query, {
  undo: "true restores the recipient's choice from before they unsubscribed.",
  all: 'true for all marketing on the channel of the message.',
});
