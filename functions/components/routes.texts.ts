import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { getComponentRoute, listComponentsRoute } from './routes.ts';

describeFields(listComponentsRoute.response.body, {
  components: 'The components.',
});

describeFields(getComponentRoute.pathParameters, {
  componentId: 'The ID of the component.',
});
