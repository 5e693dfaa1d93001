import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { receiveTelnyxCallbackRoute } from './routes.ts';

describeFields(receiveTelnyxCallbackRoute.response.body, {
  received: 'true: the event was received.',
});
