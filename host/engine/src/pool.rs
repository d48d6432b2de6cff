use wasmtime::{Config, Enabled, InstanceAllocationStrategy, PoolingAllocationConfig};

/// Bytes that one linear memory of a component can grow to. A plugin's own cap may be lower.
pub const MAX_MEMORY: usize = 256 << 20;

/// Core instances that one component instance can be made of: three for a Rust guest, more where an interpreter and its
/// libraries are linked. They are counted, not set aside.
const CORE_INSTANCES: u32 = 64;

/// Linear memories that one component instance can have.
const MEMORIES: u32 = 1;

/// Tables that one component instance can have.
const TABLES: u32 = 4;

/// Instances whose memory stays mapped after use, over all components.
const WARM_SLOTS: u32 = 16;

/// Bytes of a used memory that are cleared in place instead of being given back to the system.
const MEMORY_KEPT: usize = 512 << 10;

/// The same for a table.
const TABLE_KEPT: usize = 64 << 10;

/// The same for a fibre's stack.
const STACK_KEPT: usize = 32 << 10;

/// Let `config` allocate instances from a pool of `slots` component instances at once. 0 counts as 1. No component can
/// have more of the pool than its share, so none of them can use up another's.
pub fn pooling(config: &mut Config, slots: u32) {
    let slots = slots.max(1);
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(slots)
        .total_memories(slots.saturating_mul(MEMORIES))
        .total_stacks(slots)
        .total_tables(slots.saturating_mul(TABLES))
        .total_core_instances(slots.saturating_mul(CORE_INSTANCES))
        .max_memories_per_component(MEMORIES)
        .max_tables_per_component(TABLES)
        .max_tables_per_module(TABLES)
        .max_core_instances_per_component(CORE_INSTANCES)
        .max_memory_size(MAX_MEMORY)
        .linear_memory_keep_resident(MEMORY_KEPT)
        .table_keep_resident(TABLE_KEPT)
        .async_stack_keep_resident(STACK_KEPT)
        .max_unused_warm_slots(WARM_SLOTS)
        // Clears only the pages that were written to. Off by default; older kernels do without.
        .pagemap_scan(Enabled::Auto);
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
}
