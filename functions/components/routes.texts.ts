import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { deleteComponentRoute, getComponentRoute, listComponentsRoute } from './routes.ts';

describeFields(listComponentsRoute.query, {
  limit: 'The maximum number of entries per page, at most 100; 50 by default.',
  cursor: 'nextCursor of the previous page.',
});

describeFields(listComponentsRoute.answer.body, {
  components: 'The components.',
  nextCursor: 'Send it as cursor for the next page; absent at the end.',
});

describeFields(getComponentRoute.pathParameters, {
  componentId: 'The ID of the component.',
});

describeFields(deleteComponentRoute.answer.body, {
  message: 'A message that states the result.',
});
