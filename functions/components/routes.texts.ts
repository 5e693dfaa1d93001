import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { getComponentRoute, listComponentsRoute } from './routes.ts';

describeFields(listComponentsRoute.answer.body, {
  components: 'The components.',
});

describeFields(getComponentRoute.pathParameters, {
  componentId: 'The ID of the component.',
});
