"""From a question in people's own words to a Query: rules, no model, nothing sent."""
