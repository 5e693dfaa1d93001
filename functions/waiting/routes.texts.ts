import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { cancelWaitingRoute, listAllWaitingRoute, moveWaitingRoute } from './routes.ts';

describeFields(listAllWaitingRoute.response.body, {
  waiting: 'What waits, next due first.',
});

describeFields(moveWaitingRoute.pathParameters, { waitingId: 'The waitingId of the entry.' });

describeFields(moveWaitingRoute.body, {
  until: 'now, or an ISO 8601 time with Z or offset, at most one year ahead.',
});

describeFields(moveWaitingRoute.response.body, {
  until: 'The new time.',
});

describeFields(cancelWaitingRoute.pathParameters, { waitingId: 'The waitingId of the entry.' });
