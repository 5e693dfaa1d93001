import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { cancelWaitingRoute, listAllWaitingRoute, moveWaitingRoute } from './routes.ts';

describeFields(listAllWaitingRoute.query, {
  limit: 'The maximum number of entries per page, at most 100; 50 by default.',
  cursor: 'nextCursor of the previous page.',
});

describeFields(listAllWaitingRoute.answer.body, {
  waiting: 'What waits, next due first.',
  nextCursor: 'Send it as cursor for the next page; absent at the end.',
});

describeFields(moveWaitingRoute.pathParameters, { waitingId: 'The waitingId of the entry.' });

describeFields(moveWaitingRoute.body, {
  until: 'now, or an ISO 8601 time with Z or offset, at most one year ahead.',
});

describeFields(moveWaitingRoute.answer.body, {
  message: 'A message that states the result.',
  until: 'The new time.',
});

describeFields(cancelWaitingRoute.pathParameters, { waitingId: 'The waitingId of the entry.' });

describeFields(cancelWaitingRoute.answer.body, { message: 'A message that states the result.' });
