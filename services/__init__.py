"""The services of Brettwerk. Imports point one way: session -> rules -> games, ai -> games; runtime imports none of them."""
