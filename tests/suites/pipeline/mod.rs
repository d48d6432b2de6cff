//! The steps of every request, in their order, and what each one answers (contract: pipeline).

mod audit;
mod authentication;
mod bodies;
mod connections;
mod cross_origin;
mod envelope;
mod health;
mod limits;
mod order;
mod secrets;
mod shutdown;
mod slots;
mod targets;
