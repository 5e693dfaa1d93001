import { describeFields } from '../../shared/schemas/field-texts.ts';
import { receiveTelnyxCallbackRoute, receiveTwilioCallbackRoute } from './routes.ts';

describeFields(receiveTwilioCallbackRoute.pathParameters, {
  channel: 'The channel.',
});

describeFields(receiveTelnyxCallbackRoute.answer.body, {
  received: 'Whether it was received.',
});
