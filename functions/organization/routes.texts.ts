import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { getUsageHistoryRoute, receivePaymentEventRoute } from './routes.ts';

describeFields(getUsageHistoryRoute.query, {
  startDate: 'The first day, YYYY-MM-DD.',
  endDate: 'The last day, YYYY-MM-DD.',
});

describeFields(getUsageHistoryRoute.response.body, {
  items: 'One entry for each month of the range.',
});

describeFields(receivePaymentEventRoute.response.body, {
  received: 'true: the event was received.',
});
