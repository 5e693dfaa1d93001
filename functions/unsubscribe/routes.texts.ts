import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { savePreferencesPageRoute, showUnsubscribeRoute, unsubscribeRoute } from './routes.ts';

describeFields(showUnsubscribeRoute.pathParameters, {
  token: 'The signed token of the link.',
});

describeFields(unsubscribeRoute.query, {
  undo: "true restores the recipient's choice from before they unsubscribed, if the type still offers it.",
  all: 'true for all marketing on the channel of the message, if the type has that purpose.',
});

describeFields(savePreferencesPageRoute.query, {
  renew: "true emails a new link to the user's present address instead, at most once a day.",
});
