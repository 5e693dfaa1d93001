import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { deleteTypeRoute, getTypeRoute } from './routes.ts';

describeFields(getTypeRoute.pathParameters, {
  notificationId: 'The ID of the notification type.',
});

describeFields(deleteTypeRoute.answer.body, {
  message: 'A message that states the result.',
});
