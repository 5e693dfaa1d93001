import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { receiveTelnyxCallbackRoute, receiveTwilioCallbackRoute } from './routes.ts';

describeFields(receiveTwilioCallbackRoute.pathParameters, {
  channel: 'The channel.',
});

describeFields(receiveTelnyxCallbackRoute.answer.body, {
  received: 'true: the event was received.',
});
